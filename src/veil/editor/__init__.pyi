from veil.editor.editor_text import EditorText as EditorText, EditorWord as EditorWord
from veil.editor.explanation import (
    Completion as Completion,
    complete as complete,
    explain as explain,
    find_problems as find_problems,
)
from veil.editor.layout import format_rules as format_rules
from veil.editor.navigation import (
    TextChange as TextChange,
    find_definition as find_definition,
    find_occurrences as find_occurrences,
    find_renaming as find_renaming,
    list_introductions as list_introductions,
    rename as rename,
)
from veil.editor.pygments_lexer import RulesLexer as RulesLexer
