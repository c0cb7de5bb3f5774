/** Runs work that goes on until SIGINT or SIGTERM, which it hears as an abort: a second signal ends the process. */
export async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, abort);
  await work(controller.signal);
}
