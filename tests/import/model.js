// A model that answers from a table: no network, no key.
module.exports = class {
  constructor(options) { this.options = options || {}; }
  id() { return this.options.id || 'table'; }
  async callApi(prompt, context) {
    const n = Number(context.vars.n);
    const wrong = (this.options.config.wrong || []).includes(n);
    return { output: wrong ? 'I do not know' : String(2 * n), cost: this.options.config.cost, tokenUsage: { total: 30, prompt: 20, completion: 10 } };
  }
};
