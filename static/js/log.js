// Beside the log there is room for its filters; above it, on a narrow page, they wait to be asked for.
"use strict";

if (matchMedia("(min-width: 60rem)").matches) document.getElementById("log-filters").open = true;
