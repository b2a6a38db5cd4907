// When a dialog has closed, whoever closed it. The event "close" comes with the next frame, which a tab that is not looked at has none of: by
// then the dialog may be open again with something else, or focus.js has looked for another place for the focus.
export const whenClosed = (dialog, work) => {
  new MutationObserver(() => dialog.open || work()).observe(dialog, { attributeFilter: ["open"] });
};
