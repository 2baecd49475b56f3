from veil.players.advice import ask_advice as ask_advice
from veil.players.contract import (
    FILE as FILE,
    LEGAL_MOVES as LEGAL_MOVES,
    NETWORK as NETWORK,
    NOTHING as NOTHING,
    PACKAGE as PACKAGE,
    PERSON as PERSON,
    TRUE_STATE as TRUE_STATE,
    CountsEffort as CountsEffort,
    Effort as Effort,
    IsElsewhere as IsElsewhere,
    KnowsInfosets as KnowsInfosets,
    MaySeeAllMoves as MaySeeAllMoves,
    MeetsPerson as MeetsPerson,
    Observation as Observation,
    ObservesRounds as ObservesRounds,
    Person as Person,
    Player as Player,
    Request as Request,
    Seat as Seat,
    SeesTrueState as SeesTrueState,
    TakesLegalMoves as TakesLegalMoves,
    TellsStrategies as TellsStrategies,
    find_needs as find_needs,
)
from veil.players.files import (
    NO_FILES as NO_FILES,
    FileContents as FileContents,
    Files as Files,
)
from veil.players.reports import (
    describe_reasons as describe_reasons,
    describe_report as describe_report,
    describe_substitute as describe_substitute,
    list_reported as list_reported,
)
from veil.players.roster import (
    PLAYERS as PLAYERS,
    file_of as file_of,
    is_guest as is_guest,
    list_searchers as list_searchers,
    make_player as make_player,
    needs_of_spec as needs_of_spec,
    read_player_files as read_player_files,
)
from veil.players.search_player import SearchPlayer as SearchPlayer
from veil.players.seat_belief import make_belief as make_belief
