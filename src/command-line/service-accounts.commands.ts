import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./service-accounts.actions.js');

/** `service-accounts list|create|keys …` */
export function addServiceAccountCommands(program: Command): void {
  const accounts = program.command('service-accounts').description('accounts of programs');
  accounts
    .command('list')
    .description('list them with the number of their keys and the last use of one')
    .action(action(() => import('./lists.actions.js'), 'listServiceAccounts'));
  accounts
    .command('create')
    .argument('<login>')
    .requiredOption('--title <title>', 'its name')
    .option('--calls-per-minute <number>', 'its limit of calls')
    .description('create one, which has neither a key nor a role')
    .action(action(load, 'create'));
  const keys = accounts.command('keys').description('their API keys');
  keys
    .command('list')
    .argument('<login>')
    .description('list its keys, without their secrets')
    .action(action(() => import('./lists.actions.js'), 'listKeys'));
  keys
    .command('create')
    .argument('<login>')
    .argument('<name>', 'what the key is for')
    .requiredOption('--expires <time>', 'ISO 8601, e.g. 2027-06-30T00:00:00Z')
    .option('--addresses <list>', 'from which it signs in: addresses and networks')
    .option('--permission <text...>', 'all that it permits, within the roles of the account')
    .description('create a key and print it, once')
    .action(action(load, 'createKey'));
  keys
    .command('rotate')
    .argument('<login>')
    .argument('<id>', 'of the key')
    .option('--overlap <hours>', 'how long the old key stays valid', '24')
    .description('replace a key by a new one and print it, once')
    .action(action(load, 'rotateKey'));
  keys
    .command('delete')
    .argument('<login>')
    .argument('<id>', 'of the key')
    .description('delete a key with the sessions that it opened')
    .action(action(load, 'deleteKey'));
}
