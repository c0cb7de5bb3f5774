import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { ApiError, invalid, type InvalidField, invalidField } from '../errors/api-errors.js';
import { fieldsOf } from './class-validation.js';
import { reason } from '../errors/reason.js';

/**
 * Turns a body of fixed shape into an instance of its class (`*.dto.ts`). Null is blank
 * (docs/api-contract.md#request-bodies), so it counts as missing. Unknown attributes are found by their
 * own keys: the libraries drop `constructor`, `toString` and the like without a word.
 * @throws ApiError 400 with one entry a bad field
 */
@Injectable()
export class FixedBodyPipe extends ValidationPipe {
  constructor() {
    super({ transform: true, exceptionFactory: (errors) => invalid(fieldsOf(errors)) });
  }

  override async transform(body: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw invalidField('body', reason('not-an-object'));
    const known = attributesOf(metadata.metatype!);
    const given = Object.entries(body).filter(([name]) => known.has(name));
    const bad: InvalidField[] = Object.keys(body)
      .filter((name) => !known.has(name))
      .map((name) => ({ name, reason: reason('unknown-attribute', { known: [...known] }) }));
    try {
      const instance: unknown = await super.transform(Object.fromEntries(given), metadata);
      if (bad.length === 0) return instance;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      bad.push(...(error.details.fields ?? []));
    }
    throw invalid(bad);
  }
}

function attributesOf(type: Type): Set<string> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return new Set(rules.map(({ propertyName }) => propertyName));
}
