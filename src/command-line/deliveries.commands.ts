import type { Command } from 'commander';
import { DELIVERY_STATES } from '../deliveries/engines/endpoint-choices.js';
import { action } from './action.js';

const load = () => import('./deliveries.actions.js');

/** The newest deliveries that a list shows, unless a limit is given. */
const LISTED = 50;

/** `deliveries list|replay` */
export function addDeliveryCommands(program: Command): void {
  const deliveries = program.command('deliveries').description('events on their way');
  deliveries
    .command('list')
    .argument('<endpoint>', 'its reference or id')
    .option('--state <state>', DELIVERY_STATES.join(', '))
    .option('--task <task>', 'the reference or id of a task')
    .option('--limit <count>', 'how many, the newest first', String(LISTED))
    .description('list the deliveries of an endpoint with their last attempts, as JSON with all')
    .action(action(() => import('./list-deliveries.js'), 'listDeliveries'));
  deliveries
    .command('replay')
    .argument('<endpoint>', 'its reference or id')
    .argument('[ids...]', 'deliveries that were delivered or have failed')
    .option('--failed', 'all that have failed, or those of the time')
    .option(
      '--from <timestamp>',
      'those of changes at this time or later, such as 2027-08-02T06:00:00Z',
    )
    .option('--to <timestamp>', 'those of changes before this time')
    .option('--from-delivery <id>', 'this delivery and all after it')
    .description(
      'send deliveries again, in their order, under the same message ids; prints how many',
    )
    .action(action(load, 'replay'));
}
