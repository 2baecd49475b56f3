"""Presumed payoffs over a tree of perfect information below some worlds, slowly and as they are defined."""

from tests.reference.gametree import Chance, Decision, Infoset, Node, Number, Terminal, Tree


def find_payoffs(node: Node, role: str) -> tuple[Number, Number]:
    """Return the minimax payoff of a node for a role, and the presumed one."""
    if isinstance(node, Terminal):
        return node.utility[role], node.utility[role]
    below = {move: find_payoffs(child, role) for move, child in node.children.items()}
    if isinstance(node, Chance):
        minimax, presumed = (sum(node.probability[move] * below[move][at] for move in below) for at in (0, 1))
        return minimax, presumed
    if node.role == role:
        return max(below.values())
    return min(minimax for minimax, _ in below.values()), sum(presumed for _, presumed in below.values()) / len(below)


def value_moves(tree: Tree, role: str, infoset: Infoset) -> dict[str, Number]:
    """Return the mean presumed payoff of each move at an infoset of a role, weighted by chance."""
    members: list[tuple[Decision, Number]] = []

    def collect(node: Node, chance: Number) -> None:
        if isinstance(node, Decision) and node.infoset == infoset:
            members.append((node, chance))
        for move, child in node.children.items():
            collect(child, chance * node.probability[move] if isinstance(node, Chance) else chance)

    collect(tree.root, 1)
    mass = sum(chance for _, chance in members)
    moves = members[0][0].children
    return {
        move: sum(chance * find_payoffs(node.children[move], role)[1] for node, chance in members) / mass
        for move in moves
    }
