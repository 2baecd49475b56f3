from veil.match.executors.addresses import (
    find_exposure as find_exposure,
    open_cluster as open_cluster,
    read_address as read_address,
)
from veil.match.executors.cluster import ClusterExecutor as ClusterExecutor
from veil.match.executors.installation import OtherRulesError as OtherRulesError
from veil.match.executors.isolated import IsolatedDriver as IsolatedDriver
from veil.match.executors.processes import (
    FORK_SERVER as FORK_SERVER,
    Pool as Pool,
    defer_ctrl_c as defer_ctrl_c,
    end_with_parent as end_with_parent,
)
from veil.match.executors.walls import has_all_walls as has_all_walls
