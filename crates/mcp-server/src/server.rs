//! From messages of the protocol to calls of tools and back. A call is done in a thread of its own; it is cancelled where the agent
//! says so and where it is gone, and tells how far it is.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use debugger::{Cancel, Control, Progress};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::watch;

use crate::answer::{Answered, Refusal};
use crate::hanging_up::Line;
use crate::{Shared, resources, tools};

#[derive(Clone)]
pub struct Agent {
    shared: Arc<Shared>,
    line: Line,
}

impl Agent {
    pub fn new(shared: Arc<Shared>, line: Line) -> Agent {
        Agent { shared, line }
    }
}

impl ServerHandler for Agent {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("wherefore", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::tools(self.shared.workspace.may_run())))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools::find(&request.name).ok_or_else(|| unknown(&request.name))?;
        let (shared, arguments) = (self.shared.clone(), request.arguments.unwrap_or_default());
        let done = self.worked(&context, move |work| tool.call(&shared, arguments, work)).await?;
        Ok(match done {
            Ok(Answered { structured, text }) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
                result.structured_content = Some(structured);
                result
            }
            Err(Refusal(sentence)) => CallToolResult::error(vec![ContentBlock::text(sentence)]),
        }
        .into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let shared = self.shared.clone();
        let listed = self.worked(&context, move |_| Ok(resources::list(&shared))).await?;
        Ok(ListResourcesResult::with_all_items(listed.unwrap_or_default()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (shared, uri) = (self.shared.clone(), request.uri);
        let read = self.worked(&context, move |work| resources::read(&shared, &uri, work)).await?;
        read.map(Into::into).map_err(|Refusal(sentence)| ErrorData::resource_not_found(sentence, None))
    }
}

const INSTRUCTIONS: &str = "\
Wherefore answers questions about a recorded execution of a JavaScript or TypeScript program: nothing is guessed, and nothing is run to \
answer. Record a failing command with `record` (if allowed), then ask `why`. Each answer names points (P1, P2 …), which can be asked \
about again (`at`), and the next sensible calls (`next`). Points are also written app.js:22 (the last time before that line is \
executed), app.js:22#3 (its third time), crash, end. `budget` is how many tokens an answer may have (200 to 100000, usually 1500); \
`cursor` asks for what was left out. The resource wherefore://schemas/TOOL is the schema of what a tool answers.";

impl Agent {
    /// Does something long: cancelled with the request, and reported to who gave a token for progress.
    async fn worked<T: Send + 'static>(
        &self,
        context: &RequestContext<RoleServer>,
        work: impl FnOnce(&Work) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Result<T, Refusal>, ErrorData> {
        let (tell, mut told) = watch::channel(String::new());
        let news = News(Arc::new(tell));
        let telling = news.clone();
        let control = Control::with_progress(move |progress| telling.tell(words(&progress)));
        let held = Held(control.cancel.clone());
        let mut working = tokio::task::spawn_blocking(move || work(&Work { control, news }));
        let token = context.meta.get_progress_token();
        let mut n_told = 0.0;
        let mut is_telling = token.is_some();
        loop {
            tokio::select! {
                done = &mut working => {
                    drop(held);
                    return done.map_err(|_| ErrorData::internal_error("this question broke; the others are not affected", None));
                }
                () = context.ct.cancelled(), if !held.0.is_cancelled() => held.0.cancel(),
                () = self.line.hung_up(), if !held.0.is_cancelled() => held.0.cancel(),
                news = told.changed(), if is_telling => {
                    is_telling = news.is_ok();
                    if let (Some(token), true) = (&token, is_telling) {
                        n_told += 1.0;
                        let message = told.borrow_and_update().clone();
                        let progress = ProgressNotificationParam::new(token.clone(), n_told).with_message(message);
                        // Who does not listen any more hangs up, which is found out elsewhere.
                        let _ = context.peer.notify_progress(progress).await;
                        tokio::time::sleep(BETWEEN_NEWS).await;
                    }
                }
            }
        }
    }
}

/// What is done for a request: it can be cancelled, and tells how far it is.
pub struct Work {
    pub control: Control,
    pub news: News,
}

#[cfg(test)]
impl Work {
    /// Nobody cancels it or asks how far it is.
    pub fn unheard() -> Work {
        Work { control: Control::default(), news: News(Arc::new(watch::channel(String::new()).0)) }
    }
}

#[derive(Clone)]
pub struct News(Arc<watch::Sender<String>>);

impl News {
    pub fn tell(&self, words: String) {
        // Nobody may have asked for news.
        let _ = self.0.send(words);
    }
}

/// More would be read by nobody.
const BETWEEN_NEWS: Duration = Duration::from_millis(100);

fn words(progress: &Progress) -> String {
    match progress {
        Progress::Indexing { done, all } => format!("reading the run: part {done} of {all}"),
        Progress::Running { number, .. } => format!("running the program, for time {number}"),
    }
}

fn unknown(tool: &str) -> ErrorData {
    let near = debugger::did_you_mean(tool, tools::names());
    ErrorData::invalid_params(Cow::Owned(format!("there is no tool {tool}{near}")), None)
}

/// Whoever drops it wants no answer any more; to one that was given it makes no difference.
struct Held(Cancel);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
