import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Database } from '../database/database.js';
import { notFound } from '../errors/refusals.js';
import { AnyParameters, Produces } from '../negotiation/content.guard.js';
import { isId } from '../resources/uri.js';
import { drawInitials } from './initials.js';

/** A user's picture; takes the token in the query, because <img> cannot send headers. */
@Controller('navigation/directory/users/:id/photo')
export class PhotoController {
  constructor(private readonly database: Database) {}

  @Get()
  @AnyParameters()
  @Produces('image/*')
  async photo(@Param('id') id: string, @Res() response: Response): Promise<void> {
    if (!isId(id)) throw notFound();
    const [row] = await this.database.rows({
      text: `SELECT u.title, p.media_type, p.content FROM users u LEFT JOIN photos p ON p.user_id = u.id WHERE u.id = $1`,
      values: [id],
    });
    if (!row) throw notFound();
    const [title, mediaType, content] = row as [string, string | null, Buffer | null];
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'unsafe-inline'; sandbox`,
    );
    response.setHeader('Content-Type', mediaType ?? 'image/svg+xml');
    response.end(content ?? drawInitials(title, id));
  }
}
