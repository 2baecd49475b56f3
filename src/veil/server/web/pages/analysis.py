"""The page of analysis: size, a solver with a live curve, the policy by infoset, best responses, beliefs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from veil.belief import SAMPLERS
from veil.boards import TREE_STYLE
from veil.equilibrium import DEFAULT_METHOD, SOLVERS
from veil.games import FAMILIES
from veil.server.web.host.answers import answer_json, answers_errors, read_question, while_connected
from veil.server.web.host.app import Studio

ANALYSING, BROWSING, EXPLORING, DRAWING = (
    f"veil.server.web.jobs.{name}" for name in ("analysis", "policy_browser", "infoset_explorer", "tree_view")
)
SESSION = r"[A-Za-z0-9-]{8,60}"
CLOCKS = (5, 20, 60, 300)  # seconds to choose from

Text = Annotated[str, msgspec.Meta(max_length=500)]
Record = Annotated[str, msgspec.Meta(max_length=200_000)]
SessionName = Annotated[str, msgspec.Meta(pattern=f"^{SESSION}$")]


class AskedSession(msgspec.Struct, kw_only=True):
    """The session and its game. A page makes up the name of its session."""

    session: SessionName
    game: Text


class AskedSolver(AskedSession, kw_only=True):
    """A request to run a solver."""

    method: Text = DEFAULT_METHOD
    seconds: Annotated[float, msgspec.Meta(gt=0, le=600)] = 20.0
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**48)] = 0


class AskedInfosets(AskedSession, kw_only=True):
    """A request for a page of infosets of a role."""

    role: Text
    text: Text = ""
    page: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class AskedInformation(AskedSession, kw_only=True):
    """A request for an infoset by its number."""

    infoset: Annotated[int, msgspec.Meta(ge=0, le=100_000_000)]


class AskedResponse(AskedSession, kw_only=True):
    """A request for the best response of a role."""

    role: Text


class AskedTree(AskedSession, kw_only=True):
    """A request for the drawn tree; with a role, for what follows a record of it."""

    role: Text = ""
    record: Record = ""
    max_nodes: Annotated[int, msgspec.Meta(ge=1, le=1500)] = 150
    folded: Annotated[list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(max_length=1500)] = []
    form: Literal["page", "svg", "tex"] = "page"


class GivenPolicy(AskedSession, kw_only=True):
    """The text of a policy file."""

    text: str
    name: Text = "the policy"


class AskedBelief(AskedSession, kw_only=True):
    """A record of a role, and the sampler of its worlds."""

    role: Text
    record: Record = ""
    sampler: Text = "auto"


def routes(studio: Studio) -> list[BaseRoute]:
    """Return the routes of the page and of its questions."""
    pages = _AnalysisPages(studio)
    return [
        Route("/analysis", pages.show),
        Route("/analysis/tree.css", pages.tree_style),
        *(
            Route(f"/analysis/{name}", answers_errors(endpoint), methods=["POST"])
            for name, endpoint in pages.endpoints().items()
        ),
    ]


class _AnalysisPages:
    """The endpoints. Those of a session ask its worker, one after the other; the explorer has its own process."""

    def __init__(self, studio: Studio) -> None:
        self.studio = studio

    def endpoints(self) -> dict[str, Any]:
        """Return the endpoints by the last word of their addresses."""
        return {
            "open": self._ask_session(AskedSession, f"{ANALYSING}:open_session"),
            "solve": self._ask_session(AskedSolver, f"{ANALYSING}:begin_solving"),
            "look": self._ask_session(AskedSession, f"{ANALYSING}:look_at_solver"),
            "stop": self._ask_session(AskedSession, f"{ANALYSING}:stop_solver"),
            "load": self._ask_session(GivenPolicy, f"{ANALYSING}:load_policy"),
            "save": self._ask_session(AskedSession, f"{ANALYSING}:save_policy"),
            "browse": self._ask_session(AskedInfosets, f"{BROWSING}:browse"),
            "inform": self._ask_session(AskedInformation, f"{BROWSING}:inform"),
            "respond": self._ask_session(AskedResponse, f"{BROWSING}:respond"),
            "tree": self._ask_session(AskedTree, f"{DRAWING}:draw"),
            "explore": self.explore,
        }

    async def show(self, request: Request) -> Response:
        return self.studio.page(
            "analysis",
            games=list(FAMILIES),
            saved=self.studio.library.names(),
            chosen=request.query_params.get("game", "kuhn_poker"),
            role=request.query_params.get("role", ""),
            record=request.query_params.get("record", ""),
            solvers=[(name, row.summary) for name, row in SOLVERS.rows.items()],
            solver=DEFAULT_METHOD,
            samplers=[(name, row.summary) for name, row in SAMPLERS.rows.items()],
            clocks=CLOCKS,
        )

    async def tree_style(self, request: Request) -> Response:
        return Response(TREE_STYLE, media_type="text/css", headers={"cache-control": "no-cache"})

    def _ask_session(self, kind: type[AskedSession], function: str) -> Any:
        """Return the endpoint that asks a session."""

        async def ask(request: Request) -> Response:
            wanted = await read_question(request, kind)
            arguments = msgspec.structs.asdict(wanted)
            del arguments["session"], arguments["game"]
            source = self.studio.find_source(wanted.game).as_arguments(self.studio.config)
            answer = await self.studio.tables.ask(
                f"session {wanted.session}", function, {"source": source} | arguments, self.studio.config.move_seconds
            )
            return answer_json(answer)

        return ask

    async def explore(self, request: Request) -> Response:
        wanted = await read_question(request, AskedBelief)
        arguments = {
            "source": self.studio.find_source(wanted.game).as_arguments(self.studio.config),
            "role": wanted.role,
            "record": wanted.record,
            "sampler": wanted.sampler,
        }
        work = self.studio.jobs.run(
            f"{EXPLORING}:explore", arguments, seconds=self.studio.config.move_seconds, key=f"explore {wanted.session}"
        )
        return await while_connected(request, work)
