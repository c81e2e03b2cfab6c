//! One rollout's world from its opening to its end.

use super::added::Added;
use super::command::own_executable;
use super::origin::Origin;
use super::served::{Served, ServedProcess};
use super::tools::{Tool, ToolSet};
use super::{EnvError, ServerCommand, Workspace};
use crate::mcp::ServerSpec;
use crate::task::{Address, EnvironmentSpec, ServerSpec as TaskServer, WORKSPACE_MARK};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// The name under which `${CROSSBAR_BIN}` reaches a task in Rust.
const OWN_EXECUTABLE: &str = "${CROSSBAR_BIN}";

/// A workspace with the servers that run in it. Dropping it kills them and deletes the folder.
#[derive(Debug)]
pub struct World {
    workspace: Workspace,
    servers: RefCell<Vec<Served>>,
    /// What the program was given there, which is no work of anybody.
    pub(super) added: Added,
}

impl World {
    /// Makes a fresh workspace without servers.
    ///
    /// # Errors
    /// `EnvError::Workspace`.
    pub fn new() -> Result<Self, EnvError> {
        Ok(Self {
            workspace: Workspace::new()?,
            servers: RefCell::new(Vec::new()),
            added: Added::default(),
        })
    }

    /// Makes a fresh workspace and starts all servers of a task, one after the other.
    ///
    /// # Errors
    /// `EnvError`; whatever had been started is stopped then.
    pub async fn open(spec: &EnvironmentSpec) -> Result<Self, EnvError> {
        let world = Self::new()?;
        for server in &spec.servers {
            let origin = match &server.address {
                Some(address) => elsewhere(server, address),
                None => Origin::Program(world.declared(server)),
            };
            world.begin(origin).await?;
        }
        Ok(world)
    }

    /// Starts one more server.
    ///
    /// # Errors
    /// `EnvError::Start`, `EnvError::NoBinary`, or `EnvError::SameName`.
    pub async fn add(&self, name: &str, command: &ServerCommand) -> Result<Served, EnvError> {
        let program = match command.program.as_deref() {
            Ok(OWN_EXECUTABLE) => own_executable(),
            Ok(other) => other.to_owned(),
            Err(missing) => return Err(EnvError::NoBinary(missing.to_owned())),
        };
        let mut spec = ServerSpec::new(name, &program);
        spec.args.clone_from(&command.args);
        spec.env.extend(command.env.iter().cloned());
        self.inhabit(&mut spec);
        self.begin(Origin::Program(spec)).await
    }

    async fn begin(&self, origin: Origin) -> Result<Served, EnvError> {
        let started = ServedProcess::start(origin, &self.workspace.opaque_id()).await;
        self.admit(Served::Process(Rc::new(started.map_err(EnvError::Start)?)))
    }

    /// Stops every server, so that a program has the workspace to itself and to the servers which
    /// it starts. When this returns, none of them runs.
    pub async fn hand_over(&self) {
        for server in self.processes() {
            server.stop().await;
        }
    }

    /// Starts every server afresh, over the workspace as the program left it, without what it was
    /// given there.
    ///
    /// # Errors
    /// `EnvError::Start`.
    pub async fn take_back(&self) -> Result<(), EnvError> {
        self.added.remove();
        for server in self.processes() {
            let again = server.start_again(&self.workspace.opaque_id()).await;
            again.map_err(EnvError::Start)?;
        }
        Ok(())
    }

    fn processes(&self) -> Vec<Rc<ServedProcess>> {
        let servers = self.servers.borrow();
        let processes = servers.iter().filter_map(|served| match served {
            Served::Process(server) => Some(Rc::clone(server)),
            Served::Functions(_) => None,
        });
        processes.collect()
    }

    /// The agent's home: a folder beside the workspace, made when it is first asked for.
    pub(super) fn agent_home(&self) -> PathBuf {
        self.workspace.beside("home")
    }

    /// The mark of this rollout's processes.
    pub(super) fn rollout(&self) -> String {
        self.workspace.opaque_id()
    }

    /// Adds tools that are functions of this process.
    ///
    /// # Errors
    /// `EnvError::SameTool`, or `EnvError::SameName`.
    pub fn add_tools(&self, name: &str, tools: Vec<Tool>) -> Result<Served, EnvError> {
        let set = ToolSet::new(name, tools);
        if let Some(tool) = set.twice() {
            return Err(EnvError::SameTool(format!("{name}.{tool}")));
        }
        self.admit(Served::Functions(Rc::new(set)))
    }

    /// The folder of this rollout.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        self.workspace.path()
    }

    /// Stops every server and tells, by server, how many lines on its standard output were no
    /// messages. When this returns, nothing of the rollout runs any more.
    pub async fn close(self) -> Vec<(String, u64)> {
        let mut noise = Vec::new();
        for server in self.servers.into_inner() {
            let Served::Process(server) = server else {
                continue;
            };
            let lines = server.noise();
            if lines > 0 {
                noise.push((server.origin.name().to_owned(), lines));
            }
            server.stop().await;
        }
        noise
    }

    /// The servers, in the order of their start.
    #[must_use]
    pub fn servers(&self) -> Vec<Served> {
        self.servers.borrow().clone()
    }

    fn admit(&self, server: Served) -> Result<Served, EnvError> {
        let mut servers = self.servers.borrow_mut();
        if servers.iter().any(|other| other.name() == server.name()) {
            return Err(EnvError::SameName(server.name().to_owned()));
        }
        servers.push(server.clone());
        Ok(server)
    }

    fn declared(&self, server: &TaskServer) -> ServerSpec {
        let here = self.workspace.path().to_string_lossy();
        let placed = |text: &String| text.replace(WORKSPACE_MARK, &here);
        let mut spec = ServerSpec::new(&server.name, &placed(&server.command));
        spec.args = server.args.iter().map(placed).collect();
        spec.env = server
            .env
            .iter()
            .map(|(key, value)| (key.clone(), placed(value)))
            .collect();
        spec.cwd = server.cwd.as_ref().map(|cwd| PathBuf::from(placed(cwd)));
        spec.start_timeout = Duration::from_secs_f64(server.start_timeout_s);
        self.inhabit(&mut spec);
        spec
    }

    /// Puts a server into the workspace: its folder, and the variable that names it.
    fn inhabit(&self, spec: &mut ServerSpec) {
        let here = self.workspace.path();
        spec.cwd.get_or_insert_with(|| here.to_owned());
        spec.env.insert(
            "CROSSBAR_WORKSPACE".to_owned(),
            here.to_string_lossy().into_owned(),
        );
    }
}

/// A server that is not ours to start.
#[cfg(feature = "mcp-http")]
fn elsewhere(server: &TaskServer, address: &Address) -> Origin {
    Origin::Address(crate::mcp::RemoteSpec {
        name: server.name.clone(),
        url: address.url.clone(),
        headers: address.headers.clone(),
        start_timeout: Duration::from_secs_f64(server.start_timeout_s),
    })
}

/// A server that is not ours to start, in a build that can't reach one.
#[cfg(not(feature = "mcp-http"))]
fn elsewhere(server: &TaskServer, _: &Address) -> Origin {
    Origin::Address(server.name.clone())
}
