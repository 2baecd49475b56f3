from veil.cli.main import run as run, say_end as say_end
