/** Reports the progress of a step: a bar on a terminal, elsewhere one line at its end. */
export interface Progress {
  update(done: number): void;
  end(done?: number): void;
}

const BAR = 30;

/** Minimum time between two updates, in milliseconds. */
const REDRAW = 100;

/** @param total the final value of `done`; undefined when unknown */
export function progress(step: string, total?: number): Progress {
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  let last = 0;
  let drawn = -Infinity;
  const end = (done = total ?? last): string => `${step}: ${done} in ${seconds()}`;
  if (!process.stderr.isTTY)
    return {
      update: (done) => void (last = done),
      end: (done) => void process.stderr.write(`${end(done)}\n`),
    };
  const draw = (done: number): void => {
    last = done;
    if (performance.now() - drawn < REDRAW) return;
    drawn = performance.now();
    const bar = total === undefined ? '' : ` ${barOf(done, total)}/${total}`;
    process.stderr.write(`\r${step}${bar === '' ? ` ${done}` : bar} ${seconds()} `);
  };
  draw(0);
  return { update: draw, end: (done) => void process.stderr.write(`\r\x1b[K${end(done)}\n`) };
}

function barOf(done: number, total: number): string {
  const filled = Math.min(BAR, Math.round((BAR * done) / Math.max(total, 1)));
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done}`;
}
