/** Three tests with two assertions each, of which one fails and one is never asked. */
export default {
  description: "refunds",
  prompts: ["Refund order {{order}}."],
  providers: ["file://promptfoo-provider.mjs"],
  defaultTest: {
    assert: [
      { type: "contains", value: "Done", metric: "done" },
      { type: "javascript", value: "output.length < 100", metric: "brief" },
    ],
  },
  tests: [42, 7, 13].map((order) => ({ vars: { order } })),
};
