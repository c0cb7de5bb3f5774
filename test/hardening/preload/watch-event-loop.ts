import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into a server before it starts: at SIGUSR2 it prints for how long the event loop was blocked
 * at most since the last time, in milliseconds.
 */
const RESOLUTION = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
delay.enable();
process.on('SIGUSR2', () => {
  process.stderr.write(`blocked ${(delay.max / 1e6 - RESOLUTION).toFixed(1)}\n`);
  delay.reset();
});
