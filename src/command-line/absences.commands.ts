import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./absences.actions.js');

/** `absences list|add|end` */
export function addAbsenceCommands(program: Command): void {
  const command = program.command('absences').description('who stands in for whom, and when');
  command
    .command('list')
    .option('--user <login>', 'those of this person, away or standing in')
    .option('--all', 'those that have ended too')
    .description('list the absences that have not ended, the earliest first')
    .action(action(() => import('./lists.actions.js'), 'listAbsences'));
  command
    .command('add')
    .argument('<login>', 'who is away')
    .argument('<substitute>', 'the login of who stands in')
    .option('--until <timestamp>', 'the end, such as 2027-08-02T06:00:00Z')
    .option('--from <timestamp>', 'the beginning; by default now')
    .option('--application <reference>', 'for the tasks of this application alone')
    .description('enter an absence; prints its reference')
    .action(action(load, 'add'));
  command
    .command('end')
    .argument('<absence>', 'its reference or id')
    .description('end an absence now; one that has not begun is deleted')
    .action(action(load, 'end'));
}
