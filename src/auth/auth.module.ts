import { Module } from '@nestjs/common';
import { PassportModule } from '@nestjs/passport';
import { AuthenticationController } from './authentication.controller.js';
import { PasswordStrategy } from './password.strategy.js';
import { SignInService } from './sign-in.service.js';

/** Proving who the caller is. */
@Module({
  imports: [PassportModule.register({ session: false })],
  controllers: [AuthenticationController],
  providers: [PasswordStrategy, SignInService],
})
export class AuthModule {}
