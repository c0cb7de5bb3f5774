import type { Resource } from '../resource.js';
import type { OperationDescription } from './api-operation.decorator.js';
import { IDEMPOTENCY_KEY } from './parameters.js';
import { bodySchema, detailedSchema, pluralOf, putSchema } from './resource-schemas.js';
import { ATTRIBUTE_DESCRIPTION, JSON_PATCH, listOf } from './schemas.js';

const NO_CHANGE = 'the object is as it was: `the patch changes nothing`';

/** Describes the routes of every resource, by the name of their handler. */
export function resourceOperations(resource: Resource): Record<string, OperationDescription> {
  const [tag, singular] = [pluralOf(resource), resource.schemaName];
  const [many, one] = [resource.name, resource.nounWithArticle];
  const answer = detailedSchema(resource);
  const body = bodySchema(resource);
  const { warning, deletionWarning, takesIdempotencyKey = false } = resource.definition;
  const { changeWarning = warning } = resource.definition;
  return {
    list: { operationId: `list${tag}`, tag, summary: `List ${many}`, lists: resource },
    describe: {
      operationId: `list${singular}Attributes`,
      tag,
      summary: `Describe the attributes of ${many}: types, operators, and whether they sort and can be written`,
      answer: listOf(ATTRIBUTE_DESCRIPTION),
    },
    get: {
      operationId: `get${singular}`,
      tag,
      summary: `Get ${one}`,
      answer,
      hasETag: true,
    },
    create: {
      operationId: `create${singular}`,
      tag,
      summary: `Create ${one}`,
      body,
      answer,
      hasETag: true,
      hasLocation: true,
      warning,
      ...(takesIdempotencyKey && { parameters: [IDEMPOTENCY_KEY], errors: [422] }),
    },
    replace: {
      operationId: `replace${singular}`,
      tag,
      summary: `Replace ${one}`,
      body: putSchema(resource, body),
      answer,
      hasETag: true,
      isConditional: true,
      warning: changeWarning,
    },
    patch: {
      operationId: `patch${singular}`,
      tag,
      summary: `Change ${one} by a JSON Patch (RFC 6902)`,
      body: JSON_PATCH,
      answer,
      hasETag: true,
      isConditional: true,
      warning: [NO_CHANGE, ...(changeWarning === undefined ? [] : [changeWarning])].join('; or '),
    },
    delete: {
      operationId: `delete${singular}`,
      tag,
      summary: `Delete ${one}`,
      isConditional: true,
      warning: deletionWarning,
      errors: [409],
    },
  };
}
