import { useEffect, useState } from 'react';
import {
  Notification,
  NotificationContextProvider,
  type NotificationPayload,
  useAddNotificationContext,
  useNotificationContext,
} from 'react-admin';

/**
 * Shows the newest notification at once. React-admin itself shows each for its full time, one after another: an error
 * would outlast the attempt that succeeds. Nothing in the console is undone by a notification, so none has to stay.
 */
export function NewestNotification() {
  const { notifications, setNotifications } = useNotificationContext();
  const [shown, setShown] = useState<{ notification: NotificationPayload; round: number }>();
  useEffect(() => {
    const notification = notifications.at(-1);
    if (!notification) return;
    setShown((before) => ({ notification, round: (before?.round ?? 0) + 1 }));
    // One may have come in the meantime.
    setNotifications((all) => all.filter((one) => !notifications.includes(one)));
  }, [notifications, setNotifications]);
  return (
    shown && (
      <NotificationContextProvider key={shown.round}>
        <Alone notification={shown.notification} />
      </NotificationContextProvider>
    )
  );
}

function Alone({ notification }: { notification: NotificationPayload }) {
  const add = useAddNotificationContext();
  useEffect(() => add(notification), [add, notification]);
  return <Notification />;
}
