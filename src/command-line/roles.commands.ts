import type { Command } from 'commander';
import { action } from './action.js';

const load = () => import('./roles.actions.js');

/** `roles list|assign|remove` */
export function addRoleCommands(program: Command): void {
  const command = program.command('roles').description('what people may do, and where');
  command
    .command('list')
    .option('--user <login>', 'those of this person, and where they hold')
    .description('list the roles, or who has which')
    .action(action(() => import('./lists.actions.js'), 'listRoles'));
  const placed = (name: string): Command =>
    command
      .command(name)
      .argument('<login>', 'the person')
      .argument('<role>', 'its reference')
      .option('--organization <reference>', 'within this organization and all below it')
      .option('--group <reference>', 'within this group')
      .option('--application <reference>', 'within this application');
  placed('assign')
    .description('give a person a role, everywhere or in one place')
    .action(action(load, 'assign'));
  placed('remove')
    .description('take a role away that a person has there')
    .action(action(load, 'remove'));
}
