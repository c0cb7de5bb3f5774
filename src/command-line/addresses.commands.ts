import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./addresses.actions.js');

/** `addresses explain` */
export function addAddressCommands(program: Command): void {
  program
    .command('addresses')
    .description('the IP allowlists')
    .command('explain')
    .argument(
      '[address]',
      'the address to check; by default, the addresses that were denied in the last 24 hours',
    )
    .description('show which entry of each IP allowlist admits an address')
    .action(action(load, 'explainAddress'));
}
