import type { Command } from 'commander';
import { ParameterWriterService } from '../security/parameters/parameter-writer.service.js';
import {
  describeParameter,
  type ParameterDefinition,
  PARAMETERS,
  typedValue,
} from '../security/parameters/parameter-definitions.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { action } from './action.js';
import { CommandError, print } from './output.js';
import { type Server, withServer } from './with-server.js';

/** `parameters list|get|set` */
export function addParameterCommands(program: Command): void {
  const parameters = program.command('parameters').description('server parameters');
  parameters
    .command('list')
    .description('list every parameter with its value and its bounds')
    .option('--json', 'print JSON')
    .action(action((options: { json?: boolean }) => list(options)));
  parameters
    .command('get')
    .argument('<key>', 'with or without com.<vendor>.')
    .description('print the value of a parameter')
    .action(action(get));
  parameters
    .command('set')
    .argument('<key>', 'with or without com.<vendor>.')
    .argument('<value>')
    .description('set a parameter; running servers apply it within a second')
    .action(action(set));
}

const list = (options: { json?: boolean }): Promise<void> =>
  withServer(async (server) => {
    const values = await server.get(ParametersService).current();
    const rows = Object.values<ParameterDefinition>(PARAMETERS).map((definition) => ({
      key: server.get(ParameterWriterService).fullKey(definition),
      value: typedValue(definition.type, values.textOf(definition)),
      description: describeParameter(definition),
    }));
    print(rows, options);
  });

const get = (key: string): Promise<void> =>
  withServer(async (server) => {
    const definition = definitionOf(server, key);
    const values = await server.get(ParametersService).current();
    process.stdout.write(`${values.textOf(definition)}\n`);
  });

const set = (key: string, value: string): Promise<void> =>
  withServer(async (server) => {
    const definition = definitionOf(server, key);
    const service = server.get(ParameterWriterService);
    await service.set(definition, value, server.auditContext);
    process.stdout.write(`${service.fullKey(definition)} = ${value}\n`);
  });

/** @throws CommandError when there is no such parameter */
function definitionOf({ get: getService }: Server, key: string): ParameterDefinition {
  const service = getService(ParameterWriterService);
  const found = Object.values<ParameterDefinition>(PARAMETERS).find(
    (one) => one.key === key || service.fullKey(one) === key,
  );
  if (!found) throw new CommandError(`there is no parameter ${key}: see parameters list`);
  return found;
}
