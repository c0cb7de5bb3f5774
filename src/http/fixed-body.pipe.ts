import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { invalid, type InvalidField, invalidField } from '../base/errors/api-errors.js';
import { attributesOf, fieldsOf } from '../base/validation/class-validation.js';
import { reason } from '../base/errors/reason.js';

/**
 * Turns a body of fixed shape into an instance of its class (`*.dto.ts`). Null is blank
 * (docs/api-contract.md#request-bodies): like a missing attribute, it means the default of the class. The pipe itself
 * detects unknown attributes by own keys, because the libraries silently drop `constructor`, `toString` and the like.
 *
 * Nest's ValidationPipe would copy the whole body and traverse it four times before any rule runs: 40 ms for 100 KiB of
 * nested arrays, which a guest may send. Here the rules get nested values unchanged.
 * @throws ApiError 400 with an entry for each bad field
 */
@Injectable()
export class FixedBodyPipe implements PipeTransform<unknown, Promise<object>> {
  async transform(body: unknown, { metatype }: ArgumentMetadata): Promise<object> {
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw invalidField('body', reason('not-an-object'));
    const known = new Set(attributesOf(metatype!).map(({ name }) => name));
    const given = Object.entries(body).filter(([name, value]) => known.has(name) && value !== null);
    const [nested, plain] = [true, false].map((wanted) =>
      Object.fromEntries(given.filter(([, value]) => isNested(value) === wanted)),
    );
    const instance = Object.assign(plainToInstance(metatype!, plain) as object, nested);
    const bad: InvalidField[] = Object.keys(body)
      .filter((name) => !known.has(name))
      .map((name) => ({ name, reason: reason('unknown-attribute', { known: [...known] }) }));
    bad.push(...fieldsOf(await validate(instance, { forbidUnknownValues: false })));
    if (bad.length > 0) throw invalid(bad);
    return instance;
  }
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
