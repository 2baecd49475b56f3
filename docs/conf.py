"""The site: Sphinx reads the pages of this folder, and those that `generate.py` makes."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from generate import GLOSSARY_PAGE, copy_notebooks, make_glossary, write_page, write_pages  # noqa: E402  (a module beside this one)

from veil import __version__  # noqa: E402

write_pages(HERE / "generated")
copy_notebooks(HERE / "examples")
write_page(GLOSSARY_PAGE, make_glossary())

project = "Veil"
author = "the authors of Veil"
version = release = __version__
extensions = ["myst_nb", "sphinx_copybutton"]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]
source_suffix = {".md": "myst-nb"}

myst_enable_extensions = ["deflist", "dollarmath", "smartquotes"]
myst_heading_anchors = 4
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE / "_build" / "notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
nb_output_stderr = "remove"  # notes about compiling, which depend on the machine that builds the pages

html_theme = "furo"
html_title = f"Veil {release}"
html_static_path: list[str] = []
html_show_sphinx = False
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
suppress_warnings = ["misc.highlighting_failure"]
pygments_style = "friendly"
highlight_language = "none"  # a block without a language is a command, or rules
