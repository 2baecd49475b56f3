// Goals in the unit of their game: points of 100, or chips. The server says how: `scale` of a game.

const SINGULAR = { chips: "chip", dollars: "dollar", points: "point" };

export class Payoffs {
  constructor({ unit, zero, scale, low, high } = { unit: "", zero: 0, scale: 1, low: 0, high: 100 }) {
    Object.assign(this, { unit, zero, scale, low, high });
  }

  /** The unit for a heading. */
  get heading() {
    return this.unit || (this.high === 100 && this.low === 0 ? "of 100" : "points");
  }

  /** A goal in the unit. */
  of(goal) {
    return (goal - this.zero) / this.scale;
  }

  /** Where a goal lies between the lowest and the highest, from 0 to 1. */
  share(goal) {
    return Math.min(1, Math.max(0, (goal - this.low) / (this.high - this.low || 1)));
  }

  /** A difference of goals as a share of all that can be won or lost. */
  weigh(difference) {
    return difference / (this.high - this.low || 1);
  }

  /** A mean goal for a table: as many decimals as the unit needs. */
  show(goal) {
    return this.format(this.of(goal), this.unit ? "always" : "auto");
  }

  /** A difference of goals for a table. */
  show_difference(difference) {
    return this.format(difference / this.scale, "auto");
  }

  format(value, sign) {
    const digits = this.high - this.low > 20 * this.scale ? 1 : 2;
    const rounded = Number(value.toFixed(digits));
    return `${rounded > 0 && sign === "always" ? "+" : rounded < 0 ? "−" : ""}${Math.abs(rounded).toFixed(digits)}`;
  }

  /** The goal of a game that is over, in words. */
  tell(goal) {
    const value = Number(this.of(goal).toFixed(2));
    if (this.unit) return `${value > 0 ? "+" : value < 0 ? "−" : ""}${this.count(Math.abs(value))}`;
    return this.high === 100 && this.low === 0 ? `${value} of 100` : `${value} (of ${this.low} to ${this.high})`;
  }

  /** A difference of goals in words. */
  tell_difference(difference) {
    const words = this.show_difference(difference);
    return this.unit ? `${words} ${this.unit}` : `${words} ${Number(words) === 1 ? "point" : "points"}`;
  }

  count(value) {
    return `${value} ${value === 1 ? SINGULAR[this.unit] ?? this.unit : this.unit}`;
  }
}
