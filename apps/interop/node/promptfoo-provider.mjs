/** A model that promptfoo asks: it knows one order, fails on another, and answers each question the same way. */
export default class Clerk {
  id() {
    return "clerk";
  }

  async callApi(_prompt, { vars }) {
    if (vars.order === 13) return { error: "the ledger is closed" };
    return {
      output: vars.order === 42 ? "Done: 42, née “Été”." : "No.",
      tokenUsage: { total: 12, prompt: 8, completion: 4 },
    };
  }
}
