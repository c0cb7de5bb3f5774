import { Controller } from '@nestjs/common';
import type { InvalidField } from '../errors/api-errors.js';
import { resourceController } from '../resources/resource.controller.js';
import { faultsOfDigits } from '../resources/write/given-reference.js';
import { type PendingWrite, validValues } from '../resources/write/pending-write.js';
import type { WriteHooks } from '../resources/write/write-hooks.js';
import { sources } from './source.resource.js';

/** Administrators write sources. */
@Controller('api/v2/process/sources')
export class SourcesController extends resourceController(sources) {
  override hooks: WriteHooks = { beforeWrite: faultsOfReference };
}

const HAS_COLON: InvalidField = {
  name: 'reference',
  message: 'must not contain a colon: it ends the name of a source in paths',
};

/** Paths name a task by the reference of its source, a colon and an external id. */
function faultsOfReference(write: PendingWrite): InvalidField[] {
  const values = validValues(write);
  const { reference } = values;
  const isNew = typeof reference === 'string' && reference !== write.before?.reference;
  return [
    ...faultsOfDigits(values, write.before),
    ...(isNew && reference.includes(':') ? [HAS_COLON] : []),
  ];
}
