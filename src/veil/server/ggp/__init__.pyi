from veil.server.ggp.config import ServerConfig as ServerConfig
from veil.server.ggp.player_server import PlayerServer as PlayerServer, serve_player as serve_player
