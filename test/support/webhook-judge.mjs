// What others make of a message: two libraries verify its signature, a third parses its body.
import { HTTP } from 'cloudevents';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

/** Returns the CloudEvent of a message; throws when a library refuses the message. */
export function judge(secret, headers, body) {
  new StandardWebhook(secret).verify(body, headers);
  new SvixWebhook(secret).verify(body, headers);
  return parse(headers, body);
}

/** The CloudEvent of a message; does not check the signature. */
export function parse(headers, body) {
  const event = HTTP.toEvent({ headers, body });
  event.validate();
  return event.toJSON();
}
