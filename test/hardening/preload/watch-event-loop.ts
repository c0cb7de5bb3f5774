import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into a server before it starts: at SIGUSR2 it prints the longest block of the event loop since the
 * last signal, in milliseconds.
 */
const RESOLUTION = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
delay.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(`blocked ${(delay.max / 1e6 - RESOLUTION).toFixed(1)}\n`);
  delay.reset();
});
