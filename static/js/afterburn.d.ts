// What the scripts of the site tell each other, and what its pages tell them, for TypeScript's checker (tsconfig.json). Nothing here is
// ever run.

export {};

declare global {
  const htmx: {
    ajax(verb: "GET" | "POST", path: string, context: Record<string, unknown>): Promise<void>;
    process(part: Element): void;
  };

  // What config/views.py tells the service worker.
  const RELEASE: string;
  const STATIC: string;
  const ICON: string;
  const AWAY: { page: string; script: string };

  // The words of the page's language, which its first script has (languages/scripts.py). Messages are written out where they are called:
  // `manage.py makemessages` reads them there.
  function gettext(message: string): string;
  function ngettext(singular: string, plural: string, count: number): string;
  function pgettext(context: string, message: string): string;
  function npgettext(context: string, singular: string, plural: string, count: number): string;
  /** Fill `%(name)s` in a message. */
  function interpolate(message: string, values: Record<string, string | number>, named: true): string;

  interface JSON {
    parse(text: string | null | undefined): any; // of null it is null
  }

  /** Data attributes of pages that scripts read or write; a name that is not here is a slip of the pen. */
  type Data = Partial<Record<
    // who sits here, and how they have it (base.html)
    | "alert" | "keys" | "me" | "motion" | "sound" | "user" | "zone"
    // the page and its table
    | "size" | "stay"
    | "campaign" | "chain" | "completions" | "device" | "events" | "hashes" | "heads" | "hostKey" | "keeps" | "live" | "paused" | "quiet" | "url"
    // what the socket brings, and where it goes
    | "into" | "order" | "remove" | "removeUntil" | "at" | "state"
    // whose it is, and whom it is about
    | "absent" | "as" | "aside" | "character" | "for" | "member" | "mine" | "of" | "others" | "person" | "players" | "role" | "sight" | "subject" | "theirs"
    // what a press does
    | "again" | "command" | "copies" | "close" | "closes" | "edit" | "gives" | "history" | "leads" | "look" | "opens" | "opensInPlay" | "ownKey" | "take" | "wait" | "whisper"
    // the roll form and what goes into it
    | "announces" | "ask" | "counter" | "fields" | "given" | "joins" | "kind" | "left" | "lets" | "off" | "request" | "rolls" | "slot" | "system" | "terms" | "trait" | "whole"
    // sheets: their fields, rows, boxes
    | "add" | "addUrl" | "asks" | "box" | "by" | "called" | "category" | "complete" | "equipped" | "field" | "fieldUrl" | "gm" | "handRows" | "historyUrl" | "label"
    | "length" | "less" | "locked" | "mark" | "marks" | "maximum" | "minimum" | "more" | "operation" | "partOf" | "removeUrl" | "row" | "rows" | "sending"
    | "singular" | "step" | "takes" | "title" | "track" | "value" | "writes"
    // what else stands on cards, in the log, in a replay
    | "about" | "act" | "beside" | "deferred" | "draft" | "drawer" | "drawn" | "face" | "lines" | "links" | "token" | "names" | "number" | "pages" | "scene" | "seen" | "showing" | "shown" | "side" | "sign" | "verdict" | "words"
  , string>>;

  /**
   * An element as a script finds it by a selector, an id or an event. Of which kind it is, the selector says, and TypeScript cannot
   * read that: it has what each of the kinds has that scripts ask for.
   */
  interface Part extends Omit<HTMLElement, "dataset" | "children" | "firstElementChild" | "lastElementChild"> {
    readonly dataset: Data;
    readonly children: HTMLCollectionOf<Part>;
    readonly firstElementChild: Part;
    readonly lastElementChild: Part;
    readonly content: DocumentFragment;
    readonly elements: Iterable<Part> & { namedItem(name: string): Part };
    files: FileList;
    readonly form: Part;
    readonly options: HTMLOptionsCollection | undefined;
    readonly parentElement: Part;
    readonly defaultChecked: boolean;
    readonly selectionEnd: number;
    accept: string;
    action: string;
    alt: string;
    checked: boolean;
    dateTime: string;
    defaultValue: string;
    disabled: boolean;
    max: string | number;
    method: string;
    multiple: boolean;
    name: string;
    open: boolean;
    returnValue: string;
    src: string;
    type: string;
    value: any;
    add(option: HTMLOptionElement): void;
    close(): void;
    stepDown(): void;
    stepUp(): void;
    requestSubmit(submitter?: Element | null): void;
    reset(): void;
    select(): void;
    setRangeText(words: string, start: number, end: number, mode: SelectionMode): void;
    showModal(): void;
  }

  /** An event that an element of the page has sent. */
  type Sent<E = Event> = Omit<E, "target" | "currentTarget" | "relatedTarget" | "submitter"> & {
    readonly target: Part;
    readonly currentTarget: Part;
    readonly relatedTarget: Part | null;
    readonly submitter: Part | null;
  };
  type Told<Detail = null> = Sent<CustomEvent<Detail>>;

  /** What scripts tell each other: events of the document, or of the element that they are about. */
  interface AfterburnEvents {
    "afterburn:arrived": Told; // an element that is new here and now has been put on the page
    "afterburn:closing": Told; // a GM is about to close the scene or the session
    "afterburn:counted": Told; // what stands in the roll form has its odds
    "afterburn:dates": Told; // dates of sessions were proposed, answered or set
    "afterburn:world": Told; // a page of what is known was written on
    "afterburn:done": Told<{ form: Part }>; // a form was answered, and what it asks for is done
    "afterburn:draft": Told<{ token: string; field: string; text: string }>; // a GM writes what their table may see
    "afterburn:drafted": Told<{ subject: string; name: string; text: string }>; // a GM elsewhere writes it
    "afterburn:endings": Told; // what would end with a scene may be something else now
    "afterburn:gone": Told; // whoever reads the page has left, or has signed out
    "afterburn:hand": Told<{ url: string; pool: string }>; // another character is at hand
    "afterburn:search": Told<{ words: string }>; // somebody searches from the composer
    "afterburn:kept": Told; // a roll was saved or taken off the saved ones
    "afterburn:live": Told; // the page is connected again
    "afterburn:loaded": Told; // more of a replay is there
    "afterburn:moved": Told<{ jumped: boolean }>; // a replay shows another moment
    "afterburn:odds": Told; // the odds of the roll form may be others now
    "afterburn:panels": Told; // panels of games may show something else now
    "afterburn:party": Told; // somebody else is played
    "afterburn:paused": Told<string>; // why play is paused, or "" while it is not
    "afterburn:placed": Told; // an element was put on the page by the socket or by a replay
    "afterburn:places": Told<Place[]>; // who writes where on the sheet
    "afterburn:recorded": Told<{ stream: string; seq: number; prev: string; hash: string }>; // an event was shown
    "afterburn:removed": Told<DocumentFragment>; // an element is about to go; it leaves these words
    "afterburn:shorter": Told; // the server's log has less than this page has seen
    "afterburn:sound": Told<string>; // something is to be heard
    "afterburn:stage": Told; // another card lies open, or a new step of it, or none
    "afterburn:traits": Told; // other traits are at hand
  }

  interface Place {
    member: number;
    name: string;
    subject: string;
    field: string;
  }

  /** What htmx says of a request. */
  interface Request {
    elt: Part;
    target: Part;
    verb: string;
    question: string;
    triggeringEvent: Sent<SubmitEvent> | null;
    issueRequest(skipConfirmation?: boolean): Promise<void>;
    shouldSwap: boolean; // of htmx:beforeSwap: whether the answer is put into the page
    parameters: any;
    requestConfig: { elt: Part; verb: string; path: string; formData: FormData; parameters: any };
    successful: boolean;
    serverResponse: string;
    xhr: XMLHttpRequest;
  }

  interface HtmxEvents {
    "htmx:afterOnLoad": Told<Request>;
    "htmx:afterRequest": Told<Request>;
    "htmx:afterSettle": Told<Request>;
    "htmx:afterSwap": Told<Request>;
    "htmx:beforeOnLoad": Told<Request>;
    "htmx:beforeRequest": Told<Request>;
    "htmx:beforeSend": Told<Request>;
    "htmx:beforeSwap": Told<Request>;
    "htmx:configRequest": Told<Request>;
    "htmx:confirm": Told<Request>;
    "htmx:load": Told<Request>;
    "htmx:oobAfterSwap": Told<Request>;
    "htmx:sendError": Told<Request>;
    "htmx:timeout": Told<Request>;
  }

  type PageEvents = { [Name in keyof GlobalEventHandlersEventMap]: Sent<GlobalEventHandlersEventMap[Name]> } & AfterburnEvents & HtmxEvents;

  interface EventTarget {
    addEventListener<Name extends keyof PageEvents>(
      name: Name, listener: (event: PageEvents[Name]) => unknown, options?: boolean | AddEventListenerOptions
    ): void;
  }
  interface Document {
    readonly activeElement: Part | null;
    addEventListener<Name extends keyof PageEvents>(
      name: Name, listener: (event: PageEvents[Name]) => unknown, options?: boolean | AddEventListenerOptions
    ): void;
    getElementById(id: string | undefined): Part;
  }
  interface ParentNode {
    querySelector<Found extends Part = Part>(selector: string): Found;
    querySelectorAll<Found extends Part = Part>(selector: string): NodeListOf<Found>;
  }
  interface Element {
    setAttribute(name: string, value: string | number | boolean): void;
    readonly nextElementSibling: Part;
    readonly previousElementSibling: Part;
    closest<Found extends Part = Part>(selector: string): Found;
  }
  interface HTMLElement {
    addEventListener<Name extends keyof PageEvents>(
      name: Name, listener: (event: PageEvents[Name]) => unknown, options?: boolean | AddEventListenerOptions
    ): void;
  }
}
