"""`veil completion`: a script that lets the tab key complete commands and options."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from veil.cli.call import Call, command
from veil.cli.main import build_app, list_commands
from veil.errors import did_you_mean, fail

Shell = Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]

BASH = """\
_veil() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" options=""
  case "${{COMP_WORDS[1]}}" in
{cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{commands}" -- "$word"))
  elif [ "${{word#-}}" != "$word" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _veil veil
"""
ZSH = "autoload -U +X bashcompinit && bashcompinit\n"  # zsh reads functions for bash


@command
def completion(call: Call, shell: Shell) -> None:
    """Print a script for a shell, to be evaluated when it starts: eval "$(veil completion bash)"."""
    writers = {"bash": write_bash, "zsh": lambda: ZSH + write_bash(), "fish": write_fish}
    if shell not in writers:
        raise fail("unknown-shell", name=shell, near=did_you_mean(shell, writers), names=", ".join(writers))
    script = writers[shell]()
    call.answer(lambda: {"shell": shell, "script": script}, script.rstrip)


def write_bash() -> str:
    """Return the script for bash."""
    cases = "\n".join(f'    {name}) options="{" ".join(list_options(name))}" ;;' for name in list_commands())
    return BASH.format(cases=cases, commands=" ".join(list_commands()))


def write_fish() -> str:
    """Return the script for fish."""
    lines = [f"complete -c veil -n __fish_use_subcommand -f -a {name}" for name in list_commands()]
    for name in list_commands():
        seen = f"'__fish_seen_subcommand_from {name}'"
        lines += [f"complete -c veil -n {seen} -l {option[2:]}" for option in list_options(name)]
    return "\n".join([*lines, ""])


def list_options(name: str) -> list[str]:
    """Return the options of a command, sorted."""
    app: Any = typer.main.get_command(build_app([name]))
    given = (option for parameter in app.commands[name].params for option in parameter.opts)
    return sorted({option for option in given if option.startswith("--")} | {"--help"})
