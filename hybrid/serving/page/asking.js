// Questions to the server: the latest answer wins, and a server that does not answer is asked again.

const PAUSE = 120; // milliseconds without a key before a question goes out
const AGAIN = 2000; // milliseconds between looks whether the server is back

export class Refused extends Error {
  constructor(problem) {
    super(problem.what);
    this.problem = problem;
  }
}

export async function ask(path, body, signal) {
  const how = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { ...how, signal });
  const read = await answer.json();
  if (!answer.ok) throw new Refused(read.error ?? { what: `the server answers ${answer.status}`, where: path, right: "" });
  return read;
}

export class Asker {
  constructor({ onAnswer, onRefused, onSilence, onAsked }) {
    Object.assign(this, { onAnswer, onRefused, onSilence, onAsked });
    this.latest = null;
  }

  // Ask, soon; `path` null: nothing any more.
  later(path, body, pause = PAUSE) {
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.latest?.abort();
    this.latest = null;
    if (path !== null) this.timer = setTimeout(() => this.now(path, body), pause);
  }

  async now(path, body) {
    const mine = new AbortController();
    this.latest = mine;
    this.onAsked();
    try {
      const answer = await ask(path, body, mine.signal);
      if (this.latest === mine) this.onAnswer(answer);
    } catch (error) {
      if (this.latest !== mine) return;
      if (error instanceof Refused) this.onRefused(error.problem);
      else {
        this.onSilence();
        this.again = setTimeout(() => this.now(path, body), AGAIN);
      }
    }
  }
}
