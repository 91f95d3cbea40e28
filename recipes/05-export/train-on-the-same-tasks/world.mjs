// The shop of the rollouts: what a call is answered, and what a finished rollout earns. Both run beside the trainer's
// process and not in it, so that the policy cannot read them.

/** `state` is this rollout's own. */
export function execute(name, { order, amount }, { state, info }) {
  state.orders ??= { [String(info.scenario_id).replace("order-", "")]: { paid: 12.5, refunded: 0 } };
  const known = state.orders[order];
  if (known === undefined) throw new Error(`there is no order ${order}`);
  if (name === "lookup") return known;
  if (typeof amount !== "number") throw new Error("the amount is missing");
  if (known.refunded + amount > known.paid) throw new Error("more than was paid");
  known.refunded += amount;
  return "ok";
}

/** All of it refunded, and nothing else: 1. Half of the reward for a part. */
export function reward({ state }) {
  const [order] = Object.values(state.orders ?? {});
  if (order === undefined || order.refunded === 0) return 0;
  return order.refunded === order.paid ? 1 : 0.5;
}
