"""Backward induction over a tree with roles that see everything and roles that do not, slowly and as it is defined."""

from tests.reference.gametree import Chance, Decision, Infoset, Node, Number, Terminal, Tree


def value_moves(tree: Tree, role: str, infoset: Infoset, seeing: set[str]) -> dict[str, Number]:
    """Return the mean value of each move at an infoset of a role; roles of `seeing` choose at every node for itself.

    All others choose one move per infoset, the first one with the best sum of chance times value. They minimise what
    the role gets.
    """
    members: dict[Infoset, list[tuple[Decision, Number]]] = {}
    values: dict[int, Number] = {}
    chosen: dict[Infoset, str] = {}

    def collect(node: Node, chance: Number) -> None:
        if isinstance(node, Decision):
            members.setdefault(node.infoset, []).append((node, chance))
        for move, child in node.children.items():
            collect(child, chance * node.probability[move] if isinstance(node, Chance) else chance)

    def value(node: Node) -> Number:
        if id(node) not in values:
            values[id(node)] = find(node)
        return values[id(node)]

    def find(node: Node) -> Number:
        if isinstance(node, Terminal):
            return node.utility[role]
        if isinstance(node, Chance):
            return sum(node.probability[move] * value(child) for move, child in node.children.items())
        best = max if node.role == role else min
        if node.role in seeing:
            return best(value(child) for child in node.children.values())
        if node.infoset not in chosen:
            sums = add_up(node.infoset)
            chosen[node.infoset] = best(sums, key=lambda move: sums[move])
        return value(node.children[chosen[node.infoset]])

    def add_up(where: Infoset) -> dict[str, Number]:
        moves = members[where][0][0].children
        return {move: sum(chance * value(node.children[move]) for node, chance in members[where]) for move in moves}

    collect(tree.root, 1)
    mass = sum(chance for _, chance in members[infoset])
    return {move: total / mass for move, total in add_up(infoset).items()}
