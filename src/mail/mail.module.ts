import { Module } from '@nestjs/common';
import { SecurityModule } from '../security/security.module.js';
import { Outbox } from './outbox.service.js';
import { Smtp } from './smtp.service.js';

/** The outbox of mails, and the SMTP client. */
@Module({
  imports: [SecurityModule],
  providers: [Outbox, Smtp],
  exports: [Outbox],
})
export class MailModule {}
