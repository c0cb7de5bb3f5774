import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./parameters.actions.js');

/** `parameters list|get|set` */
export function addParameterCommands(program: Command): void {
  const parameters = program.command('parameters').description('server parameters');
  parameters
    .command('list')
    .description('list every parameter with its value and its bounds')
    .action(action(load, 'list'));
  parameters
    .command('get')
    .argument('<key>', 'with or without com.<vendor>.')
    .description('print the value of a parameter')
    .action(action(load, 'get'));
  parameters
    .command('set')
    .argument('<key>', 'with or without com.<vendor>.')
    .argument('<value>')
    .description('set a parameter; running servers apply it within a second')
    .action(action(load, 'set'));
}
