import type { Command } from 'commander';
import { ADAPTERS, DECISION_VALUES, SCHEMES } from '../deliveries/engines/endpoint-choices.js';
import { EVENT_KINDS } from '../deliveries/events/event-kinds.js';
import { action } from './action.js';

const load = () => import('./endpoints.actions.js');
const loadLists = () => import('./lists.actions.js');

/** `sources list`, `endpoints list|create|secret|credentials|test|pause|resume` */
export function addEndpointCommands(program: Command): void {
  program
    .command('sources')
    .description('programs that put tasks in')
    .command('list')
    .description('list the sources with their accounts and open tasks')
    .action(action(loadLists, 'listSources'));
  const command = program.command('endpoints').description('places that hear what happens');
  command
    .command('list')
    .description('list the endpoints with what waits, what has failed, and why')
    .action(action(loadLists, 'listEndpoints'));
  addCreateCommand(command);
  command
    .command('secret')
    .argument('<endpoint>', 'its reference or id')
    .option('--overlap <hours>', 'for how long the former secrets go on to sign, by default 24')
    .description('make a new secret; prints it, and nothing shows it again')
    .action(action(load, 'addSecret'));
  command
    .command('test')
    .argument('<endpoint>', 'its reference or id')
    .description('send an event that is about no task; a running server sends it within a second')
    .action(action(load, 'test'));
  command
    .command('credentials')
    .argument('<endpoint>', 'its reference or id')
    .argument('<scheme>', SCHEMES.join(', '))
    .option('--user <user>', 'the user, or the client id of oauth')
    .option('--token-url <url>', 'where oauth gets its tokens')
    .option('--scope <scope>', 'the scope of these tokens')
    .option('--audience <audience>', 'the audience of these tokens')
    .description(
      'set how an endpoint with an adapter signs in at its engine; the password, token or client secret is read from standard input',
    )
    .action(action(load, 'setCredentials'));
  for (const [name, description] of [
    ['pause', 'keep events until the endpoint is resumed; nothing is dropped'],
    ['resume', 'send what waits, in its order; a running server begins within a second'],
  ] as const)
    command
      .command(name)
      .argument('<endpoint>', 'its reference or id')
      .description(description)
      .action(action(load, name));
}

function addCreateCommand(command: Command): void {
  command
    .command('create')
    .argument('<label>', 'its name')
    .option('--url <url>', 'push events to this address; without it, workers fetch them')
    .option('--reference <reference>', 'its name in paths and on the command line')
    .option(
      '--adapter <engine>',
      `the engine in whose own form decisions are sent: ${ADAPTERS.join(', ')}`,
    )
    .option('--source <source>', 'only tasks of this source')
    .option('--applications <references...>', 'only tasks of these applications')
    .option('--kinds <kinds...>', `only events of these kinds: ${EVENT_KINDS.join(', ')}`)
    .option(
      '--variables <variables...>',
      `the variables that an adapter sends: ${DECISION_VALUES.join(', ')}, or name=outcome for another name`,
    )
    .option('--account <login>', 'the only process engine that may fetch')
    .option('--confirms', 'the answers to decisions confirm or refuse them')
    .option('--thin', 'events hold only what is needed to read the task')
    .option('--ed25519', 'sign by Ed25519 instead of HMAC-SHA256')
    .description('create an endpoint; prints its reference')
    .action(action(load, 'create'));
}
