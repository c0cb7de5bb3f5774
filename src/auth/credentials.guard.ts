import { Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { BearerStrategy } from './bearer.strategy.js';
import { PasswordStrategy } from './password.strategy.js';

/**
 * Proves who signs in, by the first strategy that knows the credential
 * (docs/api-contract.md#sign-in). The strategies are handed over themselves: by their names
 * passport would find those of whichever application of this process was made last. Each request
 * gets objects of its own, as passport does with names: it writes the request's outcome into them,
 * and requests overlap.
 */
@Injectable()
export class CredentialsGuard extends AuthGuard() {
  constructor(bearer: BearerStrategy, apiKey: ApiKeyStrategy, password: PasswordStrategy) {
    const strategies = [bearer, apiKey, password];
    super({
      get defaultStrategy() {
        return strategies.map((strategy) => Object.create(strategy) as string);
      },
    });
  }
}
