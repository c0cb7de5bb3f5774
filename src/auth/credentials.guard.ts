import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import passport, { type Strategy } from 'passport';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BearerStrategy } from './bearer.strategy.js';
import { PasswordStrategy } from './password.strategy.js';

/**
 * Proves who signs in, by the first strategy that knows the credential
 * (docs/api-contract.md#sign-in).
 */
@Injectable()
export class CredentialsGuard extends AuthGuard() {
  constructor(bearer: BearerStrategy, apiKey: ApiKeyStrategy, password: PasswordStrategy) {
    super({ defaultStrategy: [bearer, apiKey, password].map(register) });
  }
}

let registered = 0;

/**
 * Passport has one registry per process, and `PassportStrategy` registers names that are the same in
 * every application: one that starts later would take over the sign-ins of the others.
 * @returns a name under which passport finds this strategy alone
 */
function register(strategy: Strategy): string {
  const name = `${strategy.constructor.name} ${++registered}`;
  passport.use(name, strategy);
  return name;
}
