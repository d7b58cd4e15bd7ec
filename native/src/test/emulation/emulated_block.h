// A grid of CUDA threads as std::threads: indices, __syncthreads, and a device that launches.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace emulation {

struct Index {
    unsigned x = 0;
};
inline thread_local Index threadIdx, blockIdx, blockDim, gridDim;

// __syncthreads; a thread that has returned is no longer waited for, as on the hardware.
class Block {
public:
    void start(unsigned threads) { alive_ = threads, waiting_ = 0, refused_ = false; }
    void arrive_and_wait() {
        std::unique_lock<std::mutex> lock(mutex_);
        const unsigned generation = generation_;
        waiting_++;
        if (waiting_ == alive_) return open();
        opened_.wait(lock, [&] { return generation_ != generation; });
    }
    // __syncthreads_and. A refusal lasts for the rest of the grid: whoever gets it returns.
    bool arrive_and_vote(bool good) {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            refused_ = refused_ || !good;
        }
        arrive_and_wait();
        std::lock_guard<std::mutex> lock(mutex_);
        return !refused_;
    }
    void leave() {
        std::lock_guard<std::mutex> lock(mutex_);
        alive_--;
        if (alive_ > 0 && waiting_ == alive_) open();
    }

private:
    void open() {
        waiting_ = 0;
        generation_++;
        opened_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable opened_;
    unsigned alive_ = 0, waiting_ = 0, generation_ = 0;
    bool refused_ = false;
};
inline thread_local Block* current_block = nullptr;

// One rank's device: launch() runs a grid on threads that live as long as the device, and returns when all are done.
// Start and end synchronise with the caller, as a kernel boundary does.
class Device {
public:
    Device(unsigned max_blocks, unsigned max_threads) {
        for (unsigned b = 0; b < max_blocks; b++) blocks_.push_back(std::make_unique<Block>());
        for (unsigned t = 0; t < max_blocks * max_threads; t++) threads_.emplace_back([this, t] { work(t); });
    }
    ~Device() {
        {
            std::lock_guard<std::mutex> lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        for (auto& t : threads_) t.join();
    }
    void launch(unsigned blocks, unsigned threads, std::function<void()> kernel) {
        std::unique_lock<std::mutex> lock(mutex_);
        for (unsigned b = 0; b < blocks; b++) blocks_[b]->start(threads);
        grid_ = blocks, block_ = threads, kernel_ = std::move(kernel);
        running_ = blocks * threads;
        generation_++;
        changed_.notify_all();
        done_.wait(lock, [&] { return running_ == 0; });
    }

private:
    void work(unsigned index) {
        unsigned seen = 0;
        while (true) {
            std::function<void()> kernel;
            {
                std::unique_lock<std::mutex> lock(mutex_);
                changed_.wait(lock, [&] { return stop_ || (generation_ != seen && index < grid_ * block_); });
                if (stop_) return;
                seen = generation_;
                gridDim.x = grid_, blockDim.x = block_;
                kernel = kernel_;
            }
            blockIdx.x = index / blockDim.x, threadIdx.x = index % blockDim.x;
            current_block = blocks_[blockIdx.x].get();
            kernel();
            current_block->leave();
            std::lock_guard<std::mutex> lock(mutex_);
            if (--running_ == 0) done_.notify_one();
        }
    }
    std::mutex mutex_;
    std::condition_variable changed_, done_;
    std::function<void()> kernel_;
    std::vector<std::unique_ptr<Block>> blocks_;
    std::vector<std::thread> threads_;
    unsigned grid_ = 0, block_ = 0, running_ = 0, generation_ = 0;
    bool stop_ = false;
};

}  // namespace emulation
