/** Reports how far a step is: a bar on a terminal, a line a step elsewhere. */
export interface Progress {
  update(done: number): void;
  end(): void;
}

const BAR = 30;

/** @param total what `done` reaches at the end */
export function progress(step: string, total: number): Progress {
  const { isTTY } = process.stderr;
  const started = performance.now();
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (!isTTY)
    return {
      update: () => undefined,
      end: () => process.stderr.write(`${step}: ${total} in ${seconds()}\n`),
    };
  const draw = (done: number): void => {
    const filled = Math.round((BAR * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    process.stderr.write(`\r${step} ${bar} ${done}/${total} ${seconds()} `);
  };
  draw(0);
  return {
    update: draw,
    end: () => {
      draw(total);
      process.stderr.write('\n');
    },
  };
}
