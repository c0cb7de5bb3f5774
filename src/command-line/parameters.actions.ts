import { SecurityModule } from '../security/security.module.js';
import { ParameterWriterService } from '../security/parameters/parameter-writer.service.js';
import {
  describeParameter,
  type ParameterDefinition,
  PARAMETERS,
  typedValue,
} from '../security/parameters/parameter-definitions.js';
import { ParametersService } from '../security/parameters/parameters.service.js';
import { CommandError, print } from './output.js';
import { type Server, withServer } from './with-server.js';

export const list = (options: { json?: boolean }): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    const values = await server.get(ParametersService).current();
    const rows = Object.values<ParameterDefinition>(PARAMETERS).map((definition) => ({
      key: server.get(ParameterWriterService).fullKey(definition),
      value: typedValue(definition.type, values.textOf(definition)),
      description: describeParameter(definition),
    }));
    print(rows, options);
  });

export const get = (key: string): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    const definition = definitionOf(server, key);
    const values = await server.get(ParametersService).current();
    process.stdout.write(`${values.textOf(definition)}\n`);
  });

export const set = (key: string, value: string): Promise<void> =>
  withServer([SecurityModule], async (server) => {
    const definition = definitionOf(server, key);
    const service = server.get(ParameterWriterService);
    await service.set(definition, value, server.auditContext);
    process.stdout.write(`${service.fullKey(definition)} = ${value}\n`);
  });

/** @throws CommandError for an unknown parameter */
function definitionOf({ get: getService }: Server, key: string): ParameterDefinition {
  const service = getService(ParameterWriterService);
  const found = Object.values<ParameterDefinition>(PARAMETERS).find(
    (one) => one.key === key || service.fullKey(one) === key,
  );
  if (!found) throw new CommandError(`there is no parameter ${key}: see parameters list`);
  return found;
}
