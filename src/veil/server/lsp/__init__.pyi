from veil.server.lsp.language_server import serve_editor as serve_editor
