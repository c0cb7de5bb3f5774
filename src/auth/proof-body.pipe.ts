import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { FixedBodyPipe } from '../http/fixed-body.pipe.js';
import { PasskeyDto, presentsPasskey } from './passkey.dto.js';

/** The body of a proof of identity: a passkey alone, or the one of this class. */
export class ProofBodyPipe implements PipeTransform<unknown, Promise<object>> {
  private readonly pipe = new FixedBodyPipe();

  constructor(private readonly usual: Type) {}

  /** @throws ApiError 400 with an entry for each bad field */
  transform(body: unknown, metadata: ArgumentMetadata = { type: 'body' }): Promise<object> {
    const metatype = presentsPasskey(body) ? PasskeyDto : this.usual;
    return this.pipe.transform(body, { ...metadata, metatype });
  }
}
