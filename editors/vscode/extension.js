// Starts `veil lsp` for the rules that are open, and tells the infix notation from the prefix one, which share a suffix.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const COMMENT = /^\s*(?:[;#%].*|\/\/.*)?$/;
let client;

/** Rules in infix do not begin with a parenthesis. */
function find_language(document) {
  if (document.languageId !== "gdl") return;
  const first = document.getText().split("\n").find((line) => !COMMENT.test(line));
  if (first && !first.trimStart().startsWith("(")) vscode.languages.setTextDocumentLanguage(document, "gdl-infix");
}

async function activate(context) {
  vscode.workspace.textDocuments.forEach(find_language);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(find_language));
  const [command, ...args] = vscode.workspace.getConfiguration("veil").get("command");
  const selector = ["gdl", "gdl-infix", "pogddl"].map((language) => ({ language }));
  client = new LanguageClient("veil", "Veil", { command, args }, { documentSelector: selector });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showWarningMessage(`${[command, ...args].join(" ")} does not start: ${error.message}. pip install "veil-games[lsp]" installs it; the setting veil.command says where it is.`);
  }
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
