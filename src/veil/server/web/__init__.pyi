from veil.server.web.host.app import build_app as build_app
from veil.server.web.host.server import open_browser as open_browser, serve_studio as serve_studio
from veil.server.web.host.settings import DEFAULT_PORT as DEFAULT_PORT, StudioConfig as StudioConfig
