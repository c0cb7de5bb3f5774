import { IsString } from 'class-validator';
import { satisfies } from '../negotiation/validate-body.js';

/** Longest login and password, in characters; longer ones are refused before they are hashed. */
const MAX_LOGIN = 250;
const MAX_PASSWORD = 128;

const filled = (most: number) =>
  satisfies<unknown>((value) => {
    if (typeof value !== 'string' || value === '') return 'must not be blank';
    return [...value].length > most ? `must have at most ${most} characters` : undefined;
  });

/** The payload of variants A and B (interface: POST /api/v2/authentication). */
export class Credentials {
  @IsString()
  @filled(MAX_LOGIN)
  login!: string;

  @IsString()
  @filled(MAX_PASSWORD)
  password!: string;
}
