"""The studio: rules, boards, matches and analysis in the browser.

`host/`: `server` (a port) -> `app` (routes, `Studio`) behind `security` (the gate). The server itself opens no game:
`workers` are processes that do, within limits. `job_queue` holds work that a page waits for, and `live_tables` the
games that are being played, stored on disk by `sessions`; `library` says where own games are. `jobs/` holds what
workers do, `pages/` what the browser asks for.

A new page is one module, one row, one template:

1. `pages/NAME.py` with `routes(studio) -> list[BaseRoute]`. An endpoint is `async def name(request) -> Response`,
   wrapped in `answers_errors`; it reads its question with `read_question(request, Struct)` or `read_query`, and returns
   `studio.page("NAME", ...)` (HTML) or `answer_json(data)`.
2. A row in `pages.table.PAGES`: its address, its title in the navigation.
3. `templates/NAME.html`, which begins with `{% extends "layout.html" %}`, and `static/NAME.js`, a module that imports
   from `studio.js` (`ask`, `follow`, `make`, `show_problems`) and `board.js`. No inline scripts or styles: the
   `Content-Security-Policy` forbids them. Texts go into the page by `textContent` only.

Work goes to a worker: a function in `jobs/`, `def work(say, source, ...)`, with plain data in and out. It opens its
game by `open_game(source)` (from `studio.find_source(name).as_arguments(config)`). Its address is
`"veil.server.web.jobs.module:work"`. Short work that the page waits for: `while_connected(request,
studio.jobs.run(address, {...}))`. Long work with results on the way: the endpoint answers `{"job":
studio.jobs.submit(address, {...})}`, the page calls `follow(job, {progress, done, failed})`, and the worker calls
`say(data)`; it is ended when the page goes away.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
