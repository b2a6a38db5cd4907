// Shows notices (notices/messages.py) while no page of the site is open, and opens what one is about. It keeps nothing and answers no requests.
self.addEventListener("push", (event) => {
  const { title, body, url, tag } = event.data.json();
  const icon = "{% static 'icons/afterburn-192.png' %}";
  event.waitUntil(self.registration.showNotification(title, { body, tag, icon, badge: icon, renotify: true, data: { url } }));
});

const open = async (url) => {
  const { pathname } = new URL(url, self.location.origin);
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === pathname);
  if (!page) return self.clients.openWindow(url);
  await page.focus();
  return page.navigate(url).catch(() => null); // one that was open before this script was there
};

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});
